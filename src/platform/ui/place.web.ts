// Name of the current workspace, for people with more than one. Dialogs show it if they write to that
// workspace.
import { createContext, useContext } from 'react'

/** Name of the current workspace; undefined for people with only one. */
export const PlaceContext = createContext<string | undefined>(undefined)

/** Returns the current workspace's name, or undefined if the user has no other workspace. */
export function usePlaceName(): string | undefined {
  return useContext(PlaceContext)
}
