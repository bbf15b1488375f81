/*
 * The tracing tools that subscribe to the channels of the framework are those of Node. Where a platform has the module,
 * publishing is forbidden while a script loads, which is when apps are made.
 */
const SILENT = { hasSubscribers: false, publish: (): void => {} }

/** See `node:diagnostics_channel`. */
export const channel = (): typeof SILENT => SILENT

/** See `node:diagnostics_channel`. */
export const tracingChannel = (): typeof SILENT => SILENT
