export const used: string = 'schema'
export const unusedExport: string = 'nobody imports this'
