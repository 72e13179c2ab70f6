//! Bytes as text for a block of the page: five characters for four bytes, where base64 takes six.
//!
//! The characters are those of Ascii85, `!` to `u`, but `v` for `<`: nothing in the block can end it or begin a comment.
//! `unpack` in `public/boot.js` reads it.

const FIRST: u8 = b'!';

/// The text of bytes. The last group is filled up with zeros, so the reader has to know how many bytes there are.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(4) * 5);
    for group in bytes.chunks(4) {
        let mut four = [0; 4];
        four[..group.len()].copy_from_slice(group);
        let number = u32::from_be_bytes(four);
        for power in [85 * 85 * 85 * 85, 85 * 85 * 85, 85 * 85, 85, 1] {
            let digit = u8::try_from(number / power % 85).expect("less than 85");
            text.push(if digit == b'<' - FIRST { 'v' } else { char::from(FIRST + digit) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_ascii85_without_its_bracket() {
        // `printf 'Man sure.' | base85` in Ascii85 is `9jqo^F*2M7/c`, here with the last group filled up.
        assert!(encode(b"Man sure").starts_with("9jqo^F*2M7"));
        assert_eq!(encode(b"Man sure"), "9jqo^F*2M7");
        assert_eq!(encode(&[0; 4]), "!!!!!");
        assert_eq!(encode(&[0xff; 4]), "s8W-!");
        assert_eq!(encode(&[1]).len(), 5);
        assert_eq!(encode(&[0x54, 0x41, 0x5d, 0x79]).matches('<').count(), 0);
        let all: String = (0..=u8::MAX).map(|byte| encode(&[byte, byte, byte, byte])).collect();
        assert!(!all.contains('<') && all.contains('v'), "{all}");
    }
}
