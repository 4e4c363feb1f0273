import { useState } from 'react'
import { useNavigate } from 'react-router'

/**
 * Returns a function that navigates to another page once something on this screen is done. Does nothing if
 * the user has already gone elsewhere.
 */
export function useNavigateFromHere(): (to: string) => void {
  const navigate = useNavigate()
  // The browser's own URL, because the router's lags behind while the next page is loading.
  const [openedAt] = useState(() => location.pathname)
  return (to) => {
    if (location.pathname === openedAt) void navigate(to)
  }
}
