//! The packed tables of `build.rs`: one stretch of the wasm's data, known by its first bytes.

use std::ops::Range;

use anyhow::{Context, Result, ensure};

use super::module::Stretch;

/// What the blob starts with; then come four bytes, its length without this header, the least first.
pub const MAGIC: &[u8] = b"etcd-upgrade-planner/second-part";

/// The addresses of the blob, header included; `None` when the module has none.
pub fn find(data: &[Stretch]) -> Result<Option<Range<u32>>> {
    let mut found = data.iter().flat_map(|stretch| {
        let places = stretch.bytes.windows(MAGIC.len()).enumerate().filter(|(_, bytes)| *bytes == MAGIC);
        places.map(move |(at, _)| (stretch, at))
    });
    let Some((stretch, at)) = found.next() else { return Ok(None) };
    ensure!(found.next().is_none(), "the wasm has the first bytes of the second part's tables more than once");
    let length = stretch.bytes[at + MAGIC.len()..].first_chunk::<4>();
    let length = u32::from_le_bytes(*length.context("the second part's tables end within their header")?);
    let start = stretch.address + u32::try_from(at)?;
    let end = (start + u32::try_from(MAGIC.len() + 4)?).checked_add(length);
    let end = end.context("the second part's tables end above all addresses")?;
    // wasm-opt leaves zeros out, so there may be gaps, but not behind the last byte of all data.
    let last = data.iter().map(Stretch::end).max().unwrap_or_default();
    ensure!(end <= last, "the second part's tables end at {end}, the data at {last}");
    Ok(Some(start..end))
}

/// What of a stretch lies before, in and after the blob.
pub fn cut<'a>(stretch: &Stretch<'a>, blob: &Range<u32>) -> [Stretch<'a>; 3] {
    let inside = |address: u32| (address.clamp(stretch.address, stretch.end()) - stretch.address) as usize;
    let (from, to) = (inside(blob.start), inside(blob.end));
    let part = |range: Range<usize>| Stretch {
        // Fits: it lies within the stretch.
        address: stretch.address + u32::try_from(range.start).unwrap_or_default(),
        bytes: &stretch.bytes[range],
    };
    [part(0..from), part(from..to), part(to..stretch.bytes.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(length: u32) -> Vec<u8> {
        [MAGIC, &length.to_le_bytes()].concat()
    }

    #[test]
    fn is_found_by_its_header_and_may_lie_in_several_stretches() {
        let bytes = [b"before".as_slice(), &header(10), b"one"].concat();
        let data = [Stretch { address: 100, bytes: &bytes }, Stretch { address: 150, bytes: b"two, after" }];
        let blob = find(&data).unwrap().unwrap();
        assert_eq!(blob, 106..152);
        let [before, inside, after] = cut(&data[0], &blob);
        assert_eq!((before.address, before.bytes), (100, b"before".as_slice()));
        assert_eq!((inside.address, inside.bytes.len(), after.bytes.len()), (106, 39, 0));
        let [before, inside, after] = cut(&data[1], &blob);
        assert_eq!((before.bytes.len(), inside.bytes, after.address), (0, b"tw".as_slice(), 152));
    }

    #[test]
    fn one_that_is_there_twice_or_too_long_is_refused() {
        let (twice, long) = ([header(0), header(0)].concat(), header(1));
        assert!(find(&[Stretch { address: 0, bytes: &twice }]).unwrap_err().to_string().contains("more than once"));
        assert!(find(&[Stretch { address: 0, bytes: &long }]).unwrap_err().to_string().contains("end at 37"));
        assert_eq!(find(&[Stretch { address: 0, bytes: b"none" }]).unwrap(), None);
    }

    /// With another one nothing would move, and only the sizes would say so.
    #[test]
    fn the_header_is_the_one_that_the_tables_are_packed_with() {
        let packer = include_str!("../../../build/packed.rs");
        assert!(packer.contains(&format!("const MAGIC: &str = {:?};", std::str::from_utf8(MAGIC).unwrap())));
    }
}
