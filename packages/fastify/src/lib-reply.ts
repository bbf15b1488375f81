export { default } from 'cloister/lib/reply'
