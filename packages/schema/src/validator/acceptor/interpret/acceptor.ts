import { replay } from '../../../runtime/replay.ts'
import type { Accept } from '../accept.ts'
import type { Definition } from '../ir.ts'
import { AcceptorInterpreter, type SharedClosures } from './check.ts'
import { FITS, type Check } from './verdict.ts'

/** An acceptor as closures. */
export function interpretAcceptor(root: Definition, shared: SharedClosures): Accept {
  return accepting(new AcceptorInterpreter(shared).root(root))
}

function accepting(check: Check): Accept {
  // Taken while the acceptor runs: one that is called within itself gets a list of its own.
  let spare: unknown[] | undefined
  return (data, holder) => {
    const log = spare ?? []
    spare = undefined
    if (check(data, log, holder, 'value') !== FITS) {
      spare = log.length === 0 ? log : []
      return false
    }
    if (log.length > 0) {
      replay(log)
      log.length = 0
    }
    spare = log
    return true
  }
}
