'use strict'
// What stands at the place of the peer's entry. The names are written out for those that import it as an ES module.
const subject = require('./subject.js')

module.exports = subject
module.exports.default = subject
module.exports.fastify = subject
module.exports.errorCodes = subject.errorCodes
