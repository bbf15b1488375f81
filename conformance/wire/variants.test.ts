import { describeCorpus } from './describe-corpus.ts'

describeCorpus('variants of the requests, octet by octet', 'asis', 'variants.json')
