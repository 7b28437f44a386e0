import { fuzzRest } from '../support/fuzz/fuzz-suites.ts';
import { itAnswersAsDocumented } from '../support/fuzz/long-fuzz.ts';

itAnswersAsDocumented('requests made of openapi.json', fuzzRest);
