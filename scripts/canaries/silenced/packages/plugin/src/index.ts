/* oxlint-disable typescript/no-explicit-any -- a whole file */
// oxlint-disable-next-line typescript/no-explicit-any
export const name: any = 'plugin'
// oxlint-disable-next-line
export const other: any = 'plugin'
// @ts-expect-error
export const third: number = 'plugin'
