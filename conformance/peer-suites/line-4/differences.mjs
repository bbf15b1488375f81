const WARNINGS = 'Cloister writes no process warnings'

/** @type {readonly import('../lib/differences.mjs').Difference[]} */
export const differences = [
  {
    file: 'json-shorthand.test.js',
    tests: ['params', 'headers', 'body', 'querystring'].map(
      (part) => `use of deprecated json shorthand in ${part} should warn`,
    ),
    reason: WARNINGS,
    neverEnds: true,
  },
  {
    file: 'reply-trailers.test.js',
    tests: ['should emit deprecation warning when using direct return'],
    reason: WARNINGS,
    neverEnds: true,
  },
  {
    file: 'schema-feature.test.js',
    tests: [
      ...['headers', 'body', 'query', 'params'].map(
        (part) => `Should emit warning if the schema ${part} is undefined`,
      ),
      'Should emit a warning for every route with undefined schema',
    ],
    reason: WARNINGS,
    neverEnds: true,
  },
]
