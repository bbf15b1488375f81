export { BegunError, ContentWriter, LengthError } from './message/content-writer.ts'
export type { Trailers } from './message/content-writer.ts'
export {
  checkFields,
  FieldError,
  isFieldName,
  isFieldValue,
  problemOfField,
  trimBlanks,
} from './message/field.ts'
export type { ResponseHeaders } from './message/field.ts'
export { frame, interimFields, isDate, readPersistence, STREAMED } from './message/framing.ts'
export type { FieldValue, Framing, Message, Persistence, Said } from './message/framing.ts'
export { isHost, isIPv6 } from './message/host.ts'
export { checkReason, checkStatus, isStatus, StatusError } from './message/status.ts'
export { CUT, LOST, OVER, prematureClose, SENT, WAITING, WRITING } from './message/turn.ts'
export type { Turn } from './message/turn.ts'
