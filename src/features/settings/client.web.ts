import { useMutation, useQuery } from '@tanstack/react-query'
import type { Me } from '#features/accounts/account.ts'
import { UpdateMe } from '#features/accounts/profile.ts'
import { acceptMe } from '#features/accounts/client.web.ts'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { regionOfBrowser } from '#platform/region.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { ChangeEmail, ChangePassword, EndDevice, EndOtherDevices, ListDevices } from './settings.ts'

const DEVICES = ['devices']

/** Updates the profile and shows the change right away. A new currency affects every page. */
export function useUpdateProfile() {
  return useMutation({
    mutationFn: ({ me, changes }: { me: Me; changes: InputOf<typeof UpdateMe> }) =>
      call(UpdateMe, changes, { version: me.version }),
    onSuccess: async (me) => {
      acceptMe(me)
      await queryClient.invalidateQueries()
    },
  })
}

/** Tells the server this browser's time zone and region, unless the person chose them. */
export async function tellPlace(me: Me): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const region = regionOfBrowser()
  const told = {
    ...(!me.has_chosen_time_zone && me.time_zone !== timeZone && { browser_time_zone: timeZone }),
    ...(!me.has_chosen_region && me.region !== region && { browser_region: region }),
  }
  if (Object.keys(told).length > 0) acceptMe(await call(UpdateMe, told))
}

export function useChangePassword() {
  return useMutation({
    mutationFn: (input: InputOf<typeof ChangePassword>) => call(ChangePassword, input),
    onSuccess: async (me) => {
      acceptMe(me)
      await queryClient.invalidateQueries({ queryKey: DEVICES })
    },
  })
}

export function useChangeEmail() {
  return useMutation({ mutationFn: (input: InputOf<typeof ChangeEmail>) => call(ChangeEmail, input) })
}

export function useDevices() {
  return useQuery({ queryKey: DEVICES, queryFn: ({ signal }) => call(ListDevices, {}, { signal }) })
}

/** Signs out one device, or all devices except this one. */
export function useEndDevice() {
  return useMutation({
    mutationFn: (id: string | 'others') =>
      id === 'others' ? call(EndOtherDevices, {}) : call(EndDevice, {}, { id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: DEVICES }),
  })
}
