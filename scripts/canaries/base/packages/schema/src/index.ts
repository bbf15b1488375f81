export const name: string = 'schema'
