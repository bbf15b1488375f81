/**
 * Keys of the framework's own state on objects that applications also see and decorate. A symbol cannot collide
 * with a decorator and does not show in logs.
 */

/** instance -> its context */
export const kContext: unique symbol = Symbol('cloister.context')
/** instance -> the app that it is part of */
export const kApp: unique symbol = Symbol('cloister.app')
/** root instance -> the options as the application wrote them; tools of the ecosystem find it by this description */
export const kOptions: unique symbol = Symbol('fastify.options')
/** instance -> how far the app is, for integrations */
export const kAppState: unique symbol = Symbol('fastify.state')
/** instance -> its path prefix, for integrations */
export const kRoutePrefix: unique symbol = Symbol('fastify.routePrefix')
/** instance -> the names of the plugins that share its context, for integrations */
export const kPluginNames: unique symbol = Symbol('fastify.pluginNameChain')
/** request -> the hooks of its route, for tools of the ecosystem; they find it by this description */
export const kRouteContext: unique symbol = Symbol('fastify.context')
/** request, reply -> the plan of the route */
export const kPlan: unique symbol = Symbol('cloister.plan')
/** request, reply -> the exchange */
export const kExchange: unique symbol = Symbol('cloister.exchange')
/** request, reply -> what the framework keeps of it: an object of `request/state.ts` */
export const kState: unique symbol = Symbol('cloister.state')
/** route options -> the handshake of a WebSocket route: `Handshake` of `request/route-plan.ts` */
export const kHandshake: unique symbol = Symbol('cloister.handshake')
/** route options -> the route hands its requests on, with the body unread */
export const kMounted: unique symbol = Symbol('cloister.mounted')
/** reply -> the headers that were set */
export const kReplyHeaders: unique symbol = Symbol('cloister.reply.headers')
/** reply -> its own serializer; integrations set it */
export const kSerializer: unique symbol = Symbol('cloister.reply.serializer')
