'use strict'
// Keys of the peer's private fields: symbols of these names, under which nothing is to be found.
module.exports = new Proxy({}, { get: (keys, name) => (keys[name] ??= Symbol(name)) })
