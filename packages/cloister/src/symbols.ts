/**
 * Keys of internal state on objects that applications see and decorate. A symbol can't collide with a decorator and
 * doesn't show in logs.
 */

export const kContext: unique symbol = Symbol('cloister.context')
/** instance -> the app that it is part of */
export const kApp: unique symbol = Symbol('cloister.app')
/** instance -> the same with the framework's members only; tools of another copy of the framework read it, too */
export const kMembers: unique symbol = Symbol.for('cloister.members')
/** root instance -> the options as the application wrote them; integrations find it by this description */
export const kOptions: unique symbol = Symbol('fastify.options')
/** instance -> whether the app has booted, listens and closes, for integrations */
export const kAppState: unique symbol = Symbol('fastify.state')
/** instance -> its path prefix, for integrations */
export const kRoutePrefix: unique symbol = Symbol('fastify.routePrefix')
/** instance -> the names of the plugins that share its context, for integrations */
export const kPluginNames: unique symbol = Symbol('fastify.pluginNameChain')
/** request -> the hooks of its route; integrations find it by this description */
export const kRouteContext: unique symbol = Symbol('fastify.context')
export const kPlan: unique symbol = Symbol('cloister.plan')
export const kExchange: unique symbol = Symbol('cloister.exchange')
/** request, reply -> its internal state, from `request/state.ts` */
export const kState: unique symbol = Symbol('cloister.state')
/** route options -> the route forwards its requests with the body unread */
export const kMounted: unique symbol = Symbol('cloister.mounted')
/** reply -> the headers set so far */
export const kReplyHeaders: unique symbol = Symbol('cloister.reply.headers')
/** reply -> its own serializer, set by integrations */
export const kSerializer: unique symbol = Symbol('cloister.reply.serializer')
