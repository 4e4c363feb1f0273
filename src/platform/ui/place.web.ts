// The current workspace's name, for people with more than one. It's shown in dialogs that write to the
// workspace.
import { createContext, useContext } from 'react'

/** Undefined for people with only one workspace. */
export const PlaceContext = createContext<string | undefined>(undefined)

export function usePlaceName(): string | undefined {
  return useContext(PlaceContext)
}
