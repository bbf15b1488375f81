import { emitWarning } from '../platform.ts'
import { warningText, type WarningDetails, type WarningName } from './warning-text.ts'

/**
 * Emits a process warning about code that works but is probably a mistake. `process.on('warning')` receives it;
 * `--disable-warning=CODE` turns one off.
 */
export function warn(name: WarningName, details: WarningDetails): void {
  emitWarning(warningText(name, details), `CLO_WRN_${name}`)
}
