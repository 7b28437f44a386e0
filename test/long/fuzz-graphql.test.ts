import { fuzzGraphql } from '../support/fuzz/fuzz-suites.ts';
import { itAnswersAsDocumented } from '../support/fuzz/long-fuzz.ts';

itAnswersAsDocumented('documents sent to the graph', fuzzGraphql);
