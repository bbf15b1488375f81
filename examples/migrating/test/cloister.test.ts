import { describeApp } from './behaviour.ts'

describeApp('Cloister')
