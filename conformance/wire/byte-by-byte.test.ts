import { describeCorpus } from './describe-corpus.ts'

describeCorpus('requests byte by byte', 'bytes')
