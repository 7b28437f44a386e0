// The documented example, as it is.
import '../../docs/testing-your-app/deposit.test.ts';
