// Tests that need code made of text. The list may only become shorter.

/** Files about the mechanism itself, which are not run without it: they make code and look at it. */
export const leftOut = [
  'packages/schema/test/printed/**',
  'packages/schema/test/codegen/**',
  'packages/schema/test/tiers.test.ts',
]

/**
 * What fails, by file: parts of the names of tests.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const exceptions = {}
