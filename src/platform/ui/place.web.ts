// Where somebody with several workspaces is, by name: dialogs that write there show it.
import { createContext, useContext } from 'react'

/** The current workspace's name; undefined for whoever has only one. */
export const PlaceContext = createContext<string | undefined>(undefined)

/** The name of the workspace somebody is in; undefined where there is no other one to confuse it with. */
export function usePlaceName(): string | undefined {
  return useContext(PlaceContext)
}
