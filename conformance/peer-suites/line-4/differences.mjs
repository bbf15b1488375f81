/** @type {readonly import('../lib/differences.mjs').Difference[]} */
export const differences = []
