export const name: number = 'plugin'
