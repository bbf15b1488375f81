export const name: string = 'bearer-auth'
