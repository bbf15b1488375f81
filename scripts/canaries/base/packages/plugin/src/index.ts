export const name: string = 'plugin'
