/** Whether the locale's country uses US Letter paper (CLDR, measurement data). */
export function usesLetter(): boolean {
  return (
    /-(US|CA|MX|PH|CL|CO|CR|GT|PA|PR|SV|VE|BZ|NI)\b/.test(navigator.language) || navigator.language === 'en'
  )
}
