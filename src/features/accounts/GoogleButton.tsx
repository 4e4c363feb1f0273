import { useState } from 'react'
import { call, refusalText } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { StartGoogle } from './account.ts'

/**
 * The "Continue with Google" button, and the divider between it and the form below.
 * @param invitedBy the invitation code the person arrived with
 */
export function GoogleButton({ invitedBy }: { invitedBy?: string }) {
  const toast = useToast()
  const [isLeaving, setIsLeaving] = useState(false)
  const leave = async () => {
    setIsLeaving(true)
    try {
      const { url } = await call(StartGoogle, { ref: invitedBy })
      location.assign(url)
    } catch (error) {
      setIsLeaving(false)
      toast.error('Login failed', refusalText(error))
    }
  }
  return (
    <>
      <Button tone="secondary" busy={isLeaving} busyText="Continue with Google" onClick={() => void leave()}>
        <GoogleMark />
        Continue with Google
      </Button>
      <div className="flex items-center gap-3 text-small text-ink-3">
        <span className="h-px flex-1 bg-line" />
        or with email
        <span className="h-px flex-1 bg-line" />
      </div>
    </>
  )
}

function GoogleMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M23 12.3c0-.8-.1-1.6-.2-2.3H12v4.5h6.2a5.3 5.3 0 0 1-2.3 3.5v2.9h3.7c2.2-2 3.4-5 3.4-8.6z"
      />
      <path
        fill="#34A853"
        d="M12 23.5c3.1 0 5.7-1 7.6-2.8l-3.7-2.9a7 7 0 0 1-10.4-3.6H1.7v3A11.5 11.5 0 0 0 12 23.5z"
      />
      <path
        fill="#FBBC05"
        d="M5.500 14.200a6.900 6.900 0 0 1 0-4.400v-3H1.700a11.500 11.500 0 0 0 0 10.400z"
      />
      <path
        fill="#EA4335"
        d="M12 5.100c1.700 0 3.200.6 4.400 1.700l3.300-3.300A11.500 11.500 0 0 0 1.700 6.800l3.800 3A6.900 6.900 0 0 1 12 5.100z"
      />
    </svg>
  )
}
