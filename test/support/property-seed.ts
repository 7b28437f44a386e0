import fc from 'fast-check';

/** Property tests of a commit are the same in every run; long suites look for new cases. */
fc.configureGlobal({ seed: 20_261_118 });
