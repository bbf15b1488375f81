export { default } from 'cloister/lib/symbols'
