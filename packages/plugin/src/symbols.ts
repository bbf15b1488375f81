// The plugin protocol: three properties of the plugin function, under registered symbols. Every framework with this
// protocol reads them, so their names are fixed.

/** Set to `true` on a plugin that registers into its parent's context instead of its own child context. */
export const skipOverride: unique symbol = Symbol.for('skip-override')

/** The name of the plugin in errors, logs and the plugin tree. */
export const displayName: unique symbol = Symbol.for('fastify.display-name')

/** The metadata of the plugin: name, range, dependencies, decorators. */
export const pluginMeta: unique symbol = Symbol.for('plugin-meta')
