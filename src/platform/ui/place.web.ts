// The current workspace's name, for people with more than one. Dialogs that write to the workspace show it.
import { createContext, useContext } from 'react'

/** The current workspace's name; undefined for people with only one workspace. */
export const PlaceContext = createContext<string | undefined>(undefined)

/** Returns the current workspace's name, or undefined if the user has no other workspace. */
export function usePlaceName(): string | undefined {
  return useContext(PlaceContext)
}
