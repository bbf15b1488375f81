import { plugin } from '@cloister/plugin'
import type { Wrapped } from '@cloister/plugin'
import { BearerAuthOptionError } from './errors.ts'
import { checkOptions } from './options.ts'
import { hasLogLevel } from './refusal-log.ts'
import type { BearerAuthPlugin, PreParsingHook, VerifyBearerAuth, VerifyBearerAuthFactory } from './types.ts'
import { declareScheme } from './security-scheme.ts'
import { createVerifier } from './verify.ts'

/**
 * Creates a check for single routes, without a hook; see the `addHook` option. Its refusals have the form that the app
 * of the request gives to errors.
 *
 * @throws {@link BearerAuthOptionError} for options that are misspelt or of the wrong type
 */
export const verifyBearerAuthFactory: VerifyBearerAuthFactory = (options) => {
  const settings = checkOptions(options)
  const plain = createVerifier(settings)
  const withProblems = createVerifier(checkOptions(options, true))
  const verifyBearerAuth: VerifyBearerAuth = (request, reply, done) => {
    const verify = request.server !== undefined && sendsProblems(request.server) ? withProblems : plain
    verify(request, reply, done)
  }
  // The app decides about the body.
  return declareScheme(verifyBearerAuth, { ...settings, refusal: null })
}

const protect: BearerAuthPlugin = async (app, options) => {
  const settings = checkOptions(options, sendsProblems(app))
  if (settings.logLevel !== null && !hasLogLevel(app.log, settings.logLevel)) {
    throw new BearerAuthOptionError(
      'CLO_ERR_BEARER_AUTH_INVALID_LOG_LEVEL',
      `the logger has no level '${settings.logLevel}' (option 'verifyErrorLogLevel')`,
    )
  }
  const verify = createVerifier(settings)
  if (settings.hook === 'onRequest') {
    app.addHook('onRequest', verify)
  } else if (settings.hook === 'preParsing') {
    const hook: PreParsingHook = (request, reply, _payload, done) => verify(request, reply, done)
    app.addHook('preParsing', declareScheme(hook, settings))
  } else {
    app.decorate('verifyBearerAuth', verify)
    app.decorate('verifyBearerAuthFactory', verifyBearerAuthFactory)
  }
}

/** Whether error responses of the app are problem details, always or where the client accepts them. */
function sendsProblems({ initialConfig }: { readonly initialConfig?: object }): boolean {
  return initialConfig !== undefined && Boolean(Reflect.get(initialConfig, 'problemDetails'))
}

/**
 * Protects every route of the context that registers it, and of the contexts below, with bearer tokens.
 *
 * It is wrapped, so its hook belongs to the context that registers it. It only uses `addHook`, `decorate`, `log` and `initialConfig`
 * of the instance.
 */
export const bearerAuth: BearerAuthPlugin & Wrapped = plugin(protect, {
  name: '@cloister/bearer-auth',
  version: '>=4.0.0 <6',
})
