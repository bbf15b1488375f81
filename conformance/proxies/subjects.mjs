// What is compared: the columns of the tables.

/** @type {Readonly<Record<string, { module: string, options: object }>>} */
export const SUBJECTS = {
  node: { module: 'cloister', options: { transport: 'node' } },
  engine: { module: 'cloister', options: { transport: 'auto' } },
  fastify: { module: 'fastify5', options: {} },
}
