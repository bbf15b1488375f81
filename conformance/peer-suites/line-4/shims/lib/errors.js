'use strict'
// The suite takes the constructors of errors from here; they are public as `errorCodes`.
module.exports = require('../subject.js').errorCodes
