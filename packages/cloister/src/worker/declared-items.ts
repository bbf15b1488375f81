import { declaresItems as declares } from '../request/items/declared-items.ts'
import { needItems } from './needs/items.ts'

/** Refuses a route with streams of items while the app boots, if the bundle has none. */
export const declaresItems: typeof declares = (serializers) => {
  const hasItems = declares(serializers)
  if (hasItems) needItems()
  return hasItems
}
