// The types under the default import, as code for other frameworks writes them, and what an app adds to them.

import cloister, { cloister as factory } from 'cloister'

declare module 'cloister' {
  interface FastifyInstance {
    readonly region: string
  }
}

export const app: cloister.FastifyInstance = cloister()
export const region: string = app.region
export const named: factory.FastifyInstance = factory({ logger: false })

export async function routes(instance: cloister.FastifyInstance): Promise<void> {
  instance.get(
    '/',
    async (request: cloister.FastifyRequest<{ Querystring: { page: string } }>) => request.query.page,
  )
}

export const refusal: cloister.CloisterError = new cloister.errorCodes.CLO_ERR_BAD_URL('/')
