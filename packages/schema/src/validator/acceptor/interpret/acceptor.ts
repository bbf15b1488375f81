import { replay } from '../../../runtime/replay.ts'
import type { Accept } from '../accept.ts'
import type { Definition } from '../ir.ts'
import { AcceptorInterpreter, type SharedClosures } from './check.ts'
import { FITS } from './verdict.ts'

/** An acceptor as closures. */
export function interpretAcceptor(root: Definition, shared: SharedClosures): Accept {
  const check = new AcceptorInterpreter(shared).root(root)
  return (data, holder) => {
    const log: unknown[] = []
    if (check(data, log, holder, 'value') !== FITS) return false
    if (log.length > 0) replay(log)
    return true
  }
}
