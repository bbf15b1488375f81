'use strict'
// The peer's warnings, which Cloister does not have.
module.exports = new Proxy(
  {},
  { get: (warnings, code) => (warnings[code] ??= { name: 'Warning', code, emitted: false }) },
)
