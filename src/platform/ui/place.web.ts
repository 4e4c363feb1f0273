// The current workspace's name, for people with several. Dialogs that write there show it.
import { createContext, useContext } from 'react'

/** The current workspace's name; undefined for people with only one. */
export const PlaceContext = createContext<string | undefined>(undefined)

/** The current workspace's name; undefined if there's no other workspace. */
export function usePlaceName(): string | undefined {
  return useContext(PlaceContext)
}
