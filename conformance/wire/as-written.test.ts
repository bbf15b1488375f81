import { describeCorpus } from './describe-corpus.ts'

describeCorpus('requests as they are written', 'asis')
