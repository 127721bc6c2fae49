/**
 * Values that upstream's packages wrote (k8s.io/apiserver v0.37.1, golang.org/x/crypto), recorded as facts: ours must read them.
 * Keys are `keyOf(size)`, plain texts `plainOf(length)`, the storage key is `storageKey`.
 */
export const storageKey = '/registry/secrets/default/s';

export function keyOf(size: number): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + size) & 0xff));
}

export function plainOf(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, i) => (i * 3) & 0xff));
}

export const recordedValues: readonly (readonly [
  provider: 'aesgcm' | 'aescbc' | 'secretbox' | 'xnonce',
  keySize: number,
  length: number,
  value: string,
])[] = [
  ['aesgcm', 16, 0, 'oj//9NixI0DvI58lqMHj9leQ5M/zj1rfjIdtsw=='],
  ['aesgcm', 16, 15, 'fqnoSP2sSWfbH69q4SaK8vCwcZ3i5iCdOonyub4iOjlLP+fIW1M0QJy3Lg=='],
  ['aesgcm', 16, 16, 'q9BIl0zTdg5YtYnCZtD1odQ9xiQMCzSLJbGrkx77UPNUjq0fVVn5Ewdvd0Y='],
  [
    'aesgcm',
    16,
    65,
    'D6yW3pzm+4bQPu7nyqBoaHAGTKgEvpFJpnhdZtbNIWL/Q/vLHvje3Z7o6y5HlbELs7Xisg2WCBy3xqQaYsyb8u3yM70VMfyk5q0AD7ELGuWUcCKWvYloRwUZyv3F',
  ],
  ['aesgcm', 24, 0, 'uhn/9hXrBFDf5sGVBpWRD78fBSKRndsSc8e5eQ=='],
  ['aesgcm', 24, 15, 'ZCXUvHgNZecW7p4hJ93FjAvxq6PRETLER8SOFSykZSxwkBHBEluyDkVp4A=='],
  ['aesgcm', 24, 16, 'aibfTOIBgPRm8T5o+Vss4ZL2Pg6kAoxQx+Yf2WEECCgaE/hTch9DgUpS2eg='],
  [
    'aesgcm',
    24,
    65,
    'D4VjnvaCUH58WL9+KO3R188IkdwjavOxbIK+tih7sFr4V7eBpI7UBBr8np8w71Tm5mqlUGlsRykoj30CZKSv7j5l+MaQfFXjhrFBH0RsERMey++Bx8ZP3/OUPnr9',
  ],
  ['aesgcm', 32, 0, 'q0ZtKMkDMhwkb+64M6Kt8evRmEG2oi9pEnqmFg=='],
  ['aesgcm', 32, 15, '6fIbeyyaMzJwHPQQn1Mt4FronHrpq5ZkvCF/zDBbNiwtpp0rGoTaIDagQA=='],
  ['aesgcm', 32, 16, 'chgpcWx4kqXfa3Gius1oTmHvp9n+Ju+B8/E/IzsIbW3b0W0S5+TV2oKwgpk='],
  [
    'aesgcm',
    32,
    65,
    '7wzcZaKHsS+Jn4+A77PDuPbqrAyDx6zgch4psWj/C35yN4bwD0XX4hU+65gT7Q4bM9Uf7058BWj/K98T9Trq0hx11pLtEBt3G8fHCoToRnVUEogcHhOpp48lspfI',
  ],
  ['aescbc', 16, 0, 'TAgc/JaMAc9QpCTcwnxeETZKPlbsgnTr+M06OR1bh1Y='],
  ['aescbc', 16, 15, 'HyTLUQJLgPpPw9x/WwRkSOjtb+ru0pM1H32Ll7jLwHE='],
  ['aescbc', 16, 16, 'RQKyB9KTwPcXjGXPtKXdA6Qmm2kbmdlzBZe6JB5CF8fmL2M9pSkzo/KLDYAD2QUI'],
  [
    'aescbc',
    16,
    65,
    '5iCy/ejEsy1bZVIK0pl3hbV4tzM/DcvjmuKXoN4YtI7MOfDWlvCnFqcqmPzMSAis9yfpKO8C4LZYaulvJPHMdx9dKTrAneM04xDrHuBMbT1uGQTsWXllcPOfn7hw14+F',
  ],
  ['aescbc', 24, 0, 'RBzaY3jit0gRjmVt0oxrYaM/L8YqvNL6r7rHnC2Nz/8='],
  ['aescbc', 24, 15, 'yQvBC2b84SrhJ9mMBF3IgKlSmXHAtZdhCBa6uChSTcs='],
  ['aescbc', 24, 16, 'iBS6kQbrH6z114WIXwojaFwno4E4ySdHWJ1/itilIaIW/zFTBXU2l178a/mNqRFP'],
  [
    'aescbc',
    24,
    65,
    '3mTGFZkKl1JiWcNOxQawCAemhTEDRROJXydlcVK7ja7N9CilXovMOnfkLXPf2i1rtIXCI7wo5J1jii38mgSqPVAi2fhs/IZpkzxO7ywxwSGLzxje0XS+eBbNZBaG5zlQ',
  ],
  ['aescbc', 32, 0, 'U/W89OxIQ1xCvxCuRH7SNYtXJ2OvfjmSX8rLGvZfY5s='],
  ['aescbc', 32, 15, 'lSBxUay8dHD/yEUpVumtRuI1cWnvXtvwudFm+BXr/tc='],
  ['aescbc', 32, 16, 'NKtwyhtZ5ptK9jUG27lTff31EH2s73E1O7G6a25NcdLiX+RaCw8t4KSMDh/Q/Yp1'],
  [
    'aescbc',
    32,
    65,
    'dLnDZhqbjuakci/zU6az5T7MpRWYAQEQXwC6B8VqlB0jSBTemlWUdUX/L1XOFoWkutgnzd5riFgwmML1I5nIHuK8tqQIyeaNBG9mKeADT0fVx0fCQ3++CP1dArkL4BB+',
  ],
  ['secretbox', 32, 0, 'V1dXJByWX7Wo5CTPBYsH8KPCieALne1EbYev3XufurGSU+MwMYUGNQ=='],
  ['secretbox', 32, 1, 'h0RtV6VQSbbH66cK5wWHuhoimphLw1XwbYN08hrbh4YydN/icWYlJI0='],
  ['secretbox', 32, 15, 'JVXzxEgAIbxjkk0VJvIAMMOasurLEH1owMCXNcEqy0rpW6MvpoFaUVOjeQXZe6g0wtriDyOe2A=='],
  ['secretbox', 32, 16, 'tZJzQNQIFwmFvCEClqtcRWpRNi3Abbd7ejy6ZC1iiwQ2oqgu+4ITuB2v/qUKCsz3oEHCZb4eCQY='],
  ['secretbox', 32, 17, 'MgCpCDeplvfUoU3We7OEVSHwlIWpoBHA+B3sK5tMuDmmxnTMlC42pTPOTiDzVzYrU3brHP7uwfDo'],
  [
    'secretbox',
    32,
    63,
    '8OLVVPNx0zDZ0I6wyhsaedUjsP0YDwdtiMxJhlIhUAe6gSs5xO46s+EZP13BPlNcTW2W1IN5So4P0cV7xITSIMyIok3U5trRl8ahOcMKIsCyqb8hZO1vxov0nkxNdFDinpXzMX2ejg==',
  ],
  [
    'secretbox',
    32,
    64,
    'dpCpdzMPP0gY2zsN17OjLKopTKIYmP4UQ5xD44oimNud6+fk5m98t6R7/g2D9hBMxMDWtqfR411ijdA8CWLPYoDpDnhoTEgMtRyjVoHrOmM7/AdQyXjnwUXum89oXY/cm7OGwf9aKiI=',
  ],
  [
    'secretbox',
    32,
    65,
    'Jr1Jui7+hNbXQbN9DKIG/J1M0H/G6//Se8bvJW9EK5rJwfF5U1wEFTnLPc+Tnwd+ID8gloiG466OQvLN/lcBTf4mh0vH9rAlXHhLPN+06WYu4d1bQAql5fWPnUwUmjiD2J+hG8T/yGfw',
  ],
  [
    'secretbox',
    32,
    300,
    'jXYGESjuPsBw45bmHo5HP7KH9MS+nWj6Az0B9AUdDIL2Eb74mBw/mieALM1buybAvBrrUkF0tTIgFUg8kFdgw766wmr/AQr/QY2q0Xj/FoILjdQhHPp2iJnHOlaBVFx5GA44xzRFFkBZ7ba6ZMdUgxPAzOwxzXlQp3fBR26q1YMj37xeDYC0tmQDm5uX3k9i36+Pv342yz0G/Low1CjeqmiLom4D2AdHita3ve9yqXDFL43FGpKu76Y5dmf3vzfW6NAfmzQHTubIYzZ9+blz97CqSHbPSAf4YrVqcApUThE7MSh0rv7qZYSohy9sNxSsHyBgnUjTbkdiDVCqehdOJW9iQqTgP7ooJmBooZC6aJAB6B1A6UWDV0wfI2ipcBeWQkW1Ocybyoit9ryGgDSfUfG8n8/q1OFy+1kHY8alesKIfoZSy83jd+E5hVIosS+WXPQf3Q==',
  ],
  ['xnonce', 32, 1, 'GGImJRt4TYdNVz/e0rmWXWOfCVXhsGELe3cRTICfQD5jPTeLfsM8/SJQdyqfMAkz7CM2ISCJbNs8/LzdVg=='],
  ['xnonce', 32, 15, 'nYIBW8FvnW6yNHgdsCukEVqHhbzdj+RUteDrdJ9isfV58K6Mf/3HvJZTjrvgvQAz1dK3pkTjYeG7d7cd6ebCqR92E7/P+FBmH4pE'],
  ['xnonce', 32, 16, 'OKw1HwkvzcbbcAZ5Q8F1mXshrLrId6TsyC/Sq84smSYLAXvX5D0IDITDPR/uAzemk4gN3RbFQwBJKNPdRoWcRRSOE5J4JScWwifgGg=='],
  ['xnonce', 32, 17, 'EO2esQlB6fOOJ9hg8CJijNFv42K506W4DOnb9Fy2iQMsa8XNvB/T3RFksl2Y3/xadkdqnmPQCTFZgHTTqfJttJ1iWEKQE8+jdB2fSgQ='],
  [
    'xnonce',
    32,
    63,
    'mpm7ELHaNl6z3KUdngiBoptByuOk6PjLatrTNx9Py5zhql4gVFL9Xu4ZDedkH7/1Q0fbiC8a56jxxUkBKMr8/9CaV7OjD2C7YGkZfIhSUArH1L+od8PQUpzkJ2k4smuJNt1+iwp1CwC76qnQsZA0Xj3w6/nQqD5gqOhm',
  ],
  [
    'xnonce',
    32,
    64,
    'B+4kTiaH9jxhA5aGrxGpXlxOjIlmfZWWmPN4pdaVYGNALKGimEmfd3yTB00hjmbfkJ8+899ap/Kd/5YhxSs63SRJZPwAx9gte+KlL6Vyq5quV3XTpff6LyCUWrceVI1ckdum717ldeGoPzbnhRmWwAD6nGACtOpwDZEmIw==',
  ],
  [
    'xnonce',
    32,
    65,
    '/FUrTfS1jCvVltCNHTmiyEB/baZ+X94QW1YeOjt2vK0f/fa4aDybHmbvbyqvYqmzYOp8W4Kjo+OKp/LCeKicuS7PAy4swZt0srG4GSS+n/Cra1WeUjforQGuyYRU8WhclinMfoLOBw7SgW9egG4MMhsGocOa39x2afTDshw=',
  ],
  [
    'xnonce',
    32,
    300,
    'xlTIIP+V0oxAjhYBXg8mtb3FMcIPRyV9AGpvA8ykxzWlY9uLgkxYCDAVO4s0s5MlkbpvscaUWiFF2HuEqG1T0qYMZ8ahd3WUqMBIfX4nHGvhyT7LA2fgAsSaDhBre/hzqCWUHhV7Wau5Poz/+S1IiHzF/Tu3qbfOIrW93wVBj2kmB8w+KLoSkU5Hys1pntTT1GA3wbmClucx4pZQQhlKL/mtJZ5ujdlqTXAqgNeuCb7ElT0kKMykOuO1PLNi7KBpe4Lls95SVsZnv/l0ppddIQy+P5fwtg+NmOFsh4ER/bpFYN2L+J0IDCGMpMM+RAvVCHexM/JUw5wRfjfmFRcVNmFu4AlEmtKtPySM+h0YSZsvBwRmhW5t4WnGM4QQmo/Jt5gpemngjMVuCWzpvzEgOulk3ZuxL6ThdaF9pbxH7eRDRgoiqlku80jBB85s2Wf0oMYntOpYXI2JBQ74/V5pNmPMsTTGkPqQ',
  ],
];

/** secretbox.Seal of the bytes 0, 1, 2 ... (1,000 of them, modulo 256) with key 0, 1 ... 31 and nonce 200, 201 ... 223 */
export const recordedBox =
  'g0iY71ArEjJ+wV9NQxRd6/pTbXZEN1fFheGJyKIwsQD1AoyGF6gzln4+h4WVrjzpv7eXaM79faoQDMb97v51nvmp2NXrEY3qKVwWs3SH2Prwnb0W3moAUXDSXwos9jDlO/xe2ImqtZ8UbIlPgmb0zL8tF1C1kPZOtk+xRA1ANJH5aj1hfFtfgUs8wSeOx+MR9W2TmNQVStDNh690LMCycGOuSwmP7gMvFVSraDkUVswnb2F4UmSz5IaXkyYNfahU4X2HUtf92nwPoLvdMGFZxoC8YY95B5XqmAliRZVWo96aKfSKDSKJsXwNaaCyTWnwDxMasWNeoTtNevwJEa3VDg3LmoojEDYIJKitl6GXk3iR0LcAK6/eFyVhj5F+MWAQilgDJ6L5hxnbfMhLj5nZL8Ee7jNnWh5bz+tWQ3qlfESPxPxQHJTDMSlJPceKYId7fzVWVNGU6uwQlH/V8qFzwnHrFBOd4PZkbftkzlpv0XEJ1hajha2AMSBjyaWInQs9AfZ4v/KzeyPixSOTs+6a3W6llTS0c6NXqr7+4Omcxiy0rQa+Wo9hq2JtFFZKnyZqYf8W/vQaWCgq4eEx4nuCiW7i8vBdOKQjQngSoNPcaW+W+2twugNcbopXZud+U3z9aL6cr7f4FELN3dqUXaRnHxkrvKfrPty9ON6n08OfUvJYw1VY27fPcOyh5Ml/TCZlTBJkBrlYzr0/xyi0LfyPox/83U9poYm/8vN1HXtLvWL7C2iAURA6rqUoFBOVhkSNZDBD14R2NDiXAiY0QZmc3GIKy2fks03IpwJe9pg+rjC+BLslX7jkUMp0DX02xSo8WRq/nflIxsj5AJbxQffQSQb2uyV4KFgqqJw+94w9xDV1VJWLELCDDtgUwzBDiY3pILaNg/EXr2O0/sgt40MdfBCF/xcKiEngqOJkEvWeAiw7l9qRaK+TJsvrZgMKEEGY1s01gpryzL8XGE0XRZEx1Uu3NFtTIbdvnsgLB+hO8eUxxwXvxi7qjQlLQ58Fjz1mxuSMpNynwF8XyoyPhJHdVBa1036TxWter8X1RLqkhkAFBlSCBBuCJbTtfSlMwe6uJ8EpRH2AqesiqifouTs62WakJjDfNkEyA3rWHT8oUGiznZXKTTU2G0bQah8ayeRHgJ7TOJZoQ3oTrJcC4oyfya91OJl80trhKQSAu9Jt8wwrjsWn6SXer88DRhVHeyc5dq3tRp1Bbrle/VK0EJa6vvQkC25UsdKLm16QxJHMWCWjk0IoFq8AUhS0KXPPMHufJ1yOTxCe42P6R4VzHdtySOxpH3DNX6NXdKQQEpLwQ0ySbksc/WQDWM0WamJ+RJ4CTB7FMfmT5wo=';

/** EncryptedObject: data 1 2 3, key id key-1, source `dek`, annotations a.example.com=x and b.example.com empty, type seed */
export const recordedEncryptedObject = 'CgMBAgMSBWtleS0xGgNkZWsiEgoNYS5leGFtcGxlLmNvbRIBeCIRCg1iLmV4YW1wbGUuY29tEgAoAQ==';
