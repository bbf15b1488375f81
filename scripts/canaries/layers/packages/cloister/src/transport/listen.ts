export const listen: string = 'listen'
