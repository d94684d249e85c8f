import pytest
from excerpts import compressed
from hypothesis import given
from hypothesis import strategies as st

from entropick.datasets._lzw import uncompress

PACKED = (  # 0,1,...,199, as compress packs it
    "1f9d903058c4602183c50c163458d4606183c50d163858e4101830c6c01805631c8c9130c6c2180d633c8c1131c6441901650c945150"
    "c6411909652c94d150c6431911654c9c1170c6c01905671c9c9170c6c2190d673c9c1171c6441a01690ca45190c6411a09692ca4d190"
    "c6431a11694cac11b0c6c01a056b1cac91b0c6c21a0d6b3cac11b1c6441b016d0cb451d0c6411b096d2cb4d1d0c6431b116d4cbc11f0"
    "c6c01b056f1cbc91f0c6c21b0d6f3cbc11f1c6441c01710cc45110c7411c09712cc4d110c7431c11714ccc1130c7c01c05731ccc9130"
    "c7c21c0d733ccc1131c7c418302ac2b80823238c8d303ac2f80823248c91304ac2388e5ca045ef19357aefe8d17b4891de4b9a148892"
    "fd4596ec37c264ff9126fb9138d91fe729d067ff8c42f5d79151fd85a4547f25392510540b5e44d5821b61b5e0475c2d3812580b1e47"
    "9640667198915a1c76e4168721c9c56149760984978a17f1a5e24680a9f811612a8e84988ac7312690633b6624d98e1d59b663489aed"
    "589267028196e445a425b9116a497ec45a9223c196e471b409649b9619e9a66547be691992705a96641c0b"
)


@given(st.binary(max_size=300), st.sampled_from([0, 1, 7, 8, 256]))
def test_what_is_packed_comes_out_again(content, clear_after):
    assert uncompress(compressed(content, clear_after)) == content


@pytest.mark.parametrize("clear_after", [0, 255, 256, 257, 70_000])
def test_codes_grow_to_sixteen_bits_and_start_again(clear_after):
    content = b"".join(number.to_bytes(3, "big") for number in range(0, 400_000, 7))
    assert uncompress(compressed(content, clear_after)) == content


def test_a_file_of_the_command_is_read():
    packed = bytes.fromhex(PACKED)
    assert uncompress(packed) == b"".join(b"%d," % number for number in range(200))


@pytest.mark.parametrize(
    "packed", [b"", b"\x1f\x8b\x08", b"\x1f\x9d\x90\xff\xff\xff"], ids=["empty", "gzip", "no such code"]
)
def test_anything_else_is_refused(packed):
    with pytest.raises(ValueError, match="start|refers to nothing"):
        uncompress(packed)
