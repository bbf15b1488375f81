import { errorCodes, type FastifyErrorCodes } from './fastify.ts'

/** What plugins import from `fastify/lib/errors`: the constructors. A copy, because bundles add `default` to it. */
const codes: FastifyErrorCodes = { ...errorCodes }

export default codes
