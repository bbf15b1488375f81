// The plugin protocol: three properties of the plugin function, under registered symbols. Every framework
// that speaks the protocol reads the same three, so the names are fixed and not ours to choose.

/** Set to `true` on a plugin that registers into its parent's context instead of a child context of its own. */
export const skipOverride: unique symbol = Symbol.for('skip-override')

/** The name of the plugin as errors, logs and the plugin tree print it. */
export const displayName: unique symbol = Symbol.for('fastify.display-name')

/** The metadata of the plugin: name, range, dependencies, decorators. */
export const pluginMeta: unique symbol = Symbol.for('plugin-meta')
