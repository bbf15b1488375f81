import { build } from '../src/app.js'
import { describeApp } from './behaviour.ts'

describeApp('Cloister', build)
