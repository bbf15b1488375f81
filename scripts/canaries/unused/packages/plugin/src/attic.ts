export const attic: string = 'nobody imports this file'
