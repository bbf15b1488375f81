/*
 * All features, for a bundle that may be large.
 */
import './exact.ts'
import './expressions.ts'
import './formats.ts'
import './forms.ts'
import './guards.ts'
import './inspect.ts'
import './int64.ts'
import './items.ts'
import './keywords.ts'
import './libraries.ts'
import './logger.ts'
import './mount.ts'
import './proxies.ts'
import './report.ts'
import './texts.ts'
import './unions.ts'
